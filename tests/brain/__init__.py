"""Tests of the brain."""
