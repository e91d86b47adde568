/** Maps the SDK's cancellation to the failure that features know. */
import { CancellationErrorCode } from 'microsoft-cognitiveservices-speech-sdk';
import { ServiceFailure, type ServiceFailureReason } from '@parley/domain';

/** `ws` reports a rejected upgrade with this message, and the SDK passes on nothing else of the response. */
const REJECTED_UPGRADE = /Unexpected server response: (\d{3})/;

/** The reason with which Azure closes a connection (1007) when a free subscription is used up or too many learners speak at once. */
const QUOTA_EXCEEDED = /\bquota exceeded\b/i;

/**
 * Without an HTTP status, the cancellation code decides. Azure answers 404 for a region or path that does not exist.
 */
export function toServiceFailure(cancellation: {
  code?: CancellationErrorCode;
  details: string | undefined;
}): ServiceFailure {
  const details = cancellation.details ?? '';
  const status = Number(REJECTED_UPGRADE.exec(details)?.[1] ?? Number.NaN);
  const reasonWithoutStatus = QUOTA_EXCEEDED.test(details) ? 'busy' : reasonForCode(cancellation.code);
  const reason = Number.isNaN(status) ? reasonWithoutStatus : reasonForStatus(status);
  return new ServiceFailure('speech', reason, {
    cause: new Error(details === '' ? 'cancelled without a word' : details),
  });
}

function reasonForStatus(status: number): ServiceFailureReason {
  // Azure rejects a key from another region with 401, like a wrong key.
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 429 || status === 503) return 'busy';
  return status === 400 ? 'malformed' : 'unreachable';
}

function reasonForCode(code: CancellationErrorCode | undefined): ServiceFailureReason {
  switch (code) {
    case CancellationErrorCode.AuthenticationFailure:
    // A used-up free subscription needs the operator; retrying does not help.
    case CancellationErrorCode.Forbidden:
      return 'key_refused';
    case CancellationErrorCode.TooManyRequests:
      return 'busy';
    case CancellationErrorCode.BadRequestParameters:
      return 'malformed';
    case CancellationErrorCode.ConnectionFailure:
    case CancellationErrorCode.ServiceTimeout:
    case CancellationErrorCode.ServiceError:
    case CancellationErrorCode.RuntimeError:
    case CancellationErrorCode.NoError:
    case undefined:
      return 'unreachable';
  }
}
