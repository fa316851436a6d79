-- compatible_from: 0.1.0
-- A channel's name in the languages of the checkout, and the methods that it offers of those that its account has.

-- By language tag. Empty: the name itself in every language.
ALTER TABLE channels ADD COLUMN names jsonb NOT NULL DEFAULT '{}',
  -- Empty: all that the account offers.
  ADD COLUMN payment_method_types text[] NOT NULL DEFAULT '{}';
