/** Plans and paying: addresses for the system's browser, and no secret of anybody's. */
import type { AccountState, Invoice, PlanOffer } from '@parley/contract';
import { ok } from '@parley/domain';
import type { Answer } from '../answer/index.ts';
import type { Sync } from '../sync/index.ts';
import type { Account } from './account.ts';

export interface Plans {
  plans(): Promise<Answer<{ offers: PlanOffer[]; isTest: boolean }>>;
  invoices(): Promise<Answer<Invoice[]>>;
  startTrial(): Promise<Answer<AccountState>>;
  checkout(priceId: string): Promise<Answer<{ url: string }>>;
  portal(): Promise<Answer<{ url: string }>>;
}

export function createPlans({ sync, account }: { sync: Sync; account: Account }): Plans {
  return {
    plans: () => sync.ask((client) => client.billing.plans({})),
    invoices: () => sync.ask((client) => client.billing.invoices({})),
    startTrial: async () => {
      const started = await sync.ask((client) => client.billing.startTrial({}));
      return started.ok ? ok(await account.refreshed()) : started;
    },
    checkout: (priceId) => sync.ask((client) => client.billing.checkout({ priceId })),
    portal: () => sync.ask((client) => client.billing.portal({})),
  };
}
