"""What `run_job_workers` runs: pools of threads that share an exchange, and their supervisor."""
