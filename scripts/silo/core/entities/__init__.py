"""People, organisations, projects, places and property: found in text, numbered, asked for and changed."""
