"""The desk's forms, by what they are about: they read and show; the rooms' actions decide and change."""
