"""A project whose times have no zone."""

from shop.with_qforge import *

USE_TZ = False
