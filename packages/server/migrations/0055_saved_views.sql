-- compatible_from: 0.1.0
-- Views of the consoles' lists that people save for themselves.

CREATE TABLE saved_views (
  user_id uuid NOT NULL,
  view_id text NOT NULL,
  -- The list that the view belongs to.
  list text NOT NULL,
  name text NOT NULL,
  -- The part of the page's address after the question mark.
  query text NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, view_id),
  CONSTRAINT saved_views_name UNIQUE (user_id, list, name)
);
