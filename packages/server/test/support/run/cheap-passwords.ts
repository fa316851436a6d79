import { costs } from '../../../src/identity/people/password.ts';

/**
 * Setup file: a password is meant to be slow to hash, and tests hash hundreds of them. Here a hash costs as little as
 * argon2 allows; the unit tests prove what it costs in production.
 */
Object.assign(costs, { memoryCost: 8, timeCost: 1 });
