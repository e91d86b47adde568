/**
 * Plans and payments. Payment pages are returned as addresses for the system browser, so the app never handles payment
 * secrets.
 */
import type { AccountState, Invoice, PlanOffer } from '@parley/contract';
import { ok } from '@parley/domain';
import type { HostResult } from '../result/index.ts';
import type { Sync } from '../sync/index.ts';
import type { Account } from './account.ts';

export interface Plans {
  plans(): Promise<HostResult<{ offers: PlanOffer[]; isTest: boolean }>>;
  invoices(): Promise<HostResult<Invoice[]>>;
  startTrial(): Promise<HostResult<AccountState>>;
  checkout(priceId: string): Promise<HostResult<{ url: string }>>;
  portal(): Promise<HostResult<{ url: string }>>;
}

export function createPlans({ sync, account }: { sync: Sync; account: Account }): Plans {
  return {
    plans: () => sync.request((client) => client.billing.plans({})),
    invoices: () => sync.request((client) => client.billing.invoices({})),
    startTrial: async () => {
      const started = await sync.request((client) => client.billing.startTrial({}));
      return started.ok ? ok(await account.state()) : started;
    },
    checkout: (priceId) => sync.request((client) => client.billing.checkout({ priceId })),
    portal: () => sync.request((client) => client.billing.portal({})),
  };
}
