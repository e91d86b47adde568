/** The typed client of the server that served this page. */
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { serverContract } from '@parley/contract';
import { createIdentity } from './identity.ts';
import { repeatAfterProof } from './repeat-after-proof.ts';

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
  interceptors: [repeatAfterProof(identity)],
});

export const client: PanelClient = createORPCClient(link);
/** Query and mutation options of every procedure, for TanStack Query. */
export const api: RouterUtils<PanelClient> = createTanstackQueryUtils(client);
