"""Work in the background, in an app that has the name of the package it comes from."""

from jobs import task


@task(name="shop.add")
def add(a, b):
    return a + b
