-- What kind of address a seed's host had when it was first looked up, and whether the user named this authority (1): only
-- then may it lead to such an address inside a network. domain-reset forgets both.
ALTER TABLE authorities ADD COLUMN address_kind TEXT;
ALTER TABLE authorities ADD COLUMN named INTEGER NOT NULL DEFAULT 0;
CREATE INDEX authorities_named ON authorities (domain_id) WHERE named = 1;
