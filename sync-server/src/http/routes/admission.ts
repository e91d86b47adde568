/** Admits callers to procedures and routes: authentication, access to the coaches and the limits of the account. */
import type { LocalModelChoice } from '@parley/contract';
import type { Access, DeviceRegistry, SignedInDevice, WebSession } from '../../account/index.ts';
import { DomainError } from '../../domain-error.ts';
import type { AccountRateLimits } from '../limits/account-limits.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { BodySender } from '../request-bodies/body-sender.ts';
import type { RequestBrowser } from '../../web/browser-sessions.ts';

export interface RequestContext {
  authorization: string | undefined;
  /** The device that has just authenticated, or null when it must be looked up. */
  provenDevice: SignedInDevice | null;
  requestId: string;
  /** The permitted callers of the route that the request came through; undefined when it takes no body. */
  bodySender: BodySender | undefined;
  /** The caller's IP address. */
  address: string;
  /** The caller's preferred language, if the server supports it. */
  language: string | null;
  /** Returns the browser's session. It throws `auth.required`, or `auth.forbidden` for another site's page. */
  webSession: () => Promise<WebSession>;
  browser: RequestBrowser;
  /** The local models that a learner on this machine has agreed to use. */
  localChoice: LocalModelChoice;
  /** Whether local models may be offered to this caller. */
  canUseLocalModels: boolean;
  /** Whether the device wants the new rows with each poke. */
  wantsPokeRows: boolean;
  /** Sets the `retry-after` header. */
  retryAfter: (seconds: number) => void;
}

/** `ofCoach` marks calls that cost money and therefore require access to the coaches. */
export type Admit = (
  context: Pick<RequestContext, 'authorization' | 'provenDevice' | 'retryAfter'>,
  asked?: { changes?: number; ofCoach?: boolean },
) => Promise<SignedInDevice>;

interface AdmissionParts {
  accounts: Pick<DeviceRegistry, 'authenticate'>;
  limits: AccountRateLimits;
  access: Pick<Access, 'require'>;
  callLimits: Pick<RequestLimits, 'accepted' | 'refused'>;
}

/** Authenticates the device and checks its access and the limits of its account. */
export const createAdmission =
  ({ accounts, limits, access, callLimits }: AdmissionParts): Admit =>
  async (context, { changes = 0, ofCoach = false } = {}) => {
    const device = context.provenDevice ?? (await authenticate(context.authorization, { accounts, callLimits }));
    // Access is checked before the limit, because a limited caller must not count as one that still has access.
    if (ofCoach) await access.require(device.userId);
    const waitSeconds = await limits.consumeAllowance(device.userId, { changes });
    if (waitSeconds === null) return device;
    context.retryAfter(waitSeconds);
    throw new DomainError('request.too_many');
  };

async function authenticate(
  authorization: string | undefined,
  { accounts, callLimits }: Pick<AdmissionParts, 'accounts' | 'callLimits'>,
): Promise<SignedInDevice> {
  try {
    const device = await accounts.authenticate(authorization);
    callLimits.accepted(authorization);
    return device;
  } catch (error) {
    callLimits.refused(authorization);
    throw error;
  }
}
