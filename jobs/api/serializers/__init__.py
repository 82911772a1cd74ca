"""The shapes of what the API takes and gives, as the OpenAPI document describes them."""
