/** What the SDK says when it gives up, as one of the reasons that the server knows. */
import { CancellationErrorCode } from 'microsoft-cognitiveservices-speech-sdk';
import { SpeechFailure } from '../../speech/index.ts';

/** As `ws` words a refused upgrade; the SDK passes the words on, and nothing else of the answer. */
const REFUSED_UPGRADE = /Unexpected server response: (\d{3})/;

/** Without a status the code decides; 404 is the answer of a region or a path that does not exist. */
export function failureOf(told: { code?: CancellationErrorCode; details: string | undefined }): SpeechFailure {
  const details = told.details ?? '';
  const status = Number(REFUSED_UPGRADE.exec(details)?.[1] ?? Number.NaN);
  const reason = Number.isNaN(status) ? reasonOfCode(told.code) : reasonOfStatus(status);
  return new SpeechFailure(reason, { cause: new Error(details === '' ? 'cancelled without a word' : details) });
}

function reasonOfStatus(status: number): SpeechFailure['reason'] {
  // A key of another region is refused with 401 as a wrong one is.
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 429 || status === 503) return 'busy';
  return status === 400 ? 'malformed' : 'unreachable';
}

function reasonOfCode(code: CancellationErrorCode | undefined): SpeechFailure['reason'] {
  switch (code) {
    case CancellationErrorCode.AuthenticationFailure:
    // A free subscription that is used up: trying again does not help, the operator has to.
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
