"""The researcher's dashboard, REST API and commands over whole projects. Owns AnsweredRequest."""
