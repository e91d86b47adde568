/** Sets up the Stripe fake with plans to sell for a test file. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { StripeFakeOptions } from '../index.ts';
import { addPlans, startConnectedFake, type ConnectedStripeFake, type Plans } from './connected-fake.ts';

export interface StripeFixture extends ConnectedStripeFake {
  plans: Plans;
  /** Closes the fake and starts another one. */
  restart: (options: StripeFakeOptions) => Promise<void>;
}

/** Starts a new fake before each test and closes it afterwards. The fixture is empty until the first test begins. */
export function useStripeFixture(options: StripeFakeOptions = {}): StripeFixture {
  const fixture = createFixture();
  beforeEach(() => startFixture(fixture, options));
  afterEach(() => fixture.fake.close());
  return fixture;
}

/** Starts one fake for all tests of the file. */
export function useSharedStripeFixture(): StripeFixture {
  const fixture = createFixture();
  beforeAll(() => startFixture(fixture));
  afterAll(() => fixture.fake.close());
  return fixture;
}

function createFixture(): StripeFixture {
  const fixture = {
    restart: async (options) => {
      await fixture.fake.close();
      await startFixture(fixture, options);
    },
  } as StripeFixture;
  return fixture;
}

async function startFixture(fixture: StripeFixture, options?: StripeFakeOptions): Promise<void> {
  const begun = await startConnectedFake(options);
  Object.assign(fixture, begun, { plans: await addPlans(begun.stripe) });
}
