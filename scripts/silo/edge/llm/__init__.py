"""Transports: a prompt out, a reply or a failure back. Nothing is sent but to the endpoint or host that the user configured."""
