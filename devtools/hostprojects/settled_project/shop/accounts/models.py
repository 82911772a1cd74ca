"""Users without a user name."""

import uuid

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models


class CustomerManager(BaseUserManager):
    def create_superuser(self, email, password):
        customer = self.model(email=email, is_staff=True, is_superuser=True)
        customer.set_password(password)
        customer.save()
        return customer


class Customer(AbstractUser):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    username = None
    email = models.EmailField(unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = []

    objects = CustomerManager()
