/**
 * Starts the Stripe fake of a development server without a key. This is the only product file that knows the fakes:
 * they are a development dependency, so a server that was installed for production does not have them, and cannot give
 * plans away for free.
 */
import type { StripeFake } from '@parley/fakes/stripe/index.ts';

export type DevelopmentPayments = Pick<StripeFake, 'url' | 'key' | 'now' | 'close'>;

/** `dir` is where the fake keeps its state. Throws when the fakes are not installed. */
export async function startDevelopmentPayments(dir: string): Promise<DevelopmentPayments> {
  const fakes = await import('@parley/fakes/stripe/index.ts').catch((error: unknown) => {
    throw new Error('The Stripe fake is not installed here. Set STRIPE_SECRET_KEY, or PAYMENTS=off.', { cause: error });
  });
  const fake = await fakes.startStripeFake({ stateDir: dir });
  await fakes.seedPlans(fakes.connectClient({ key: fake.key, url: fake.url }));
  return fake;
}
