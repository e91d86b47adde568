/** The typed client of the server that served this page. */
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { serverContract } from '@parley/contract';
import { toContractError } from './contract-error.ts';
import { createIdentity, identityNeedOf } from './identity.ts';

type PanelContract = Pick<typeof serverContract, 'admin' | 'content' | 'media' | 'web'>;
const panelContract: PanelContract = {
  admin: serverContract.admin,
  content: serverContract.content,
  media: serverContract.media,
  web: serverContract.web,
};
type PanelClient = ContractRouterClient<PanelContract>;

export const identity = createIdentity();

const link = new OpenAPILink(panelContract, {
  url: globalThis.location.origin,
  interceptors: [
    async ({ next, path }) => {
      try {
        return await next();
      } catch (failure) {
        const error = toContractError(failure);
        const need = identityNeedOf(error);
        // The calls that prove the user's identity must fail, because their dialog shows why.
        if (need === null || path[0] === 'web' || path[1] === 'prove') throw error;
        // Saving a setting must not open the authenticator setup on top of the form.
        if (need === 'set_up' && path[1] === 'saveSettings') throw error;
        if (!(await identity.obtain(need))) throw error;
        return next();
      }
    },
  ],
});

export const client: PanelClient = createORPCClient(link);
/** Query and mutation options of every procedure, for TanStack Query. */
export const api: RouterUtils<PanelClient> = createTanstackQueryUtils(client);
