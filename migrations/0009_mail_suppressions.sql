CREATE TABLE `mail_suppressions` (
	`fingerprint` text NOT NULL,
	`topic` text NOT NULL,
	PRIMARY KEY(`fingerprint`, `topic`)
) STRICT;
