-- Roles of platform staff. Administrators keep `admin`, which may do everything. A process of the previous release lets
-- only `admin` in, so it refuses the new roles.
ALTER TABLE users DROP CONSTRAINT users_role;
ALTER TABLE users ADD CONSTRAINT users_role CHECK (role IN ('user', 'admin', 'finance', 'support', 'auditor')) NOT VALID;
