"""What tests share: factories of legal rows, threads, second connections, waiting."""
