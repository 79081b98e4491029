"""The researcher's pages, one module a subject. They read with queries and change with the rooms' actions."""
