"""The yardstick: a Django project with one table, a view that reads one row and a view that writes one."""
