import { expect, it } from 'vitest';
import { Environment } from './environment.ts';
import { SECRET_VARIABLES } from './secret-variables.ts';

it('lists every variable that is a secret', () => {
  const secrets = Object.keys(Environment.shape).filter((name) => /KEY$|SECRET$|^DATABASE_URL$|^SMTP_URL$/.test(name));
  expect(secrets.length).toBeGreaterThan(5);
  expect([...SECRET_VARIABLES].toSorted()).toEqual(secrets.toSorted());
});
