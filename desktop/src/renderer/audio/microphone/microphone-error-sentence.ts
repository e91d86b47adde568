/** Sentences for the learner about a microphone or recording that failed, or a microphone that was replaced. */
import { t } from '@parley/i18n';
import { assertNever } from '@parley/domain';
import { ORPCError } from '@orpc/client';
import { errorSentence } from '../../foundation/sentences/error-sentence.ts';
import { isInstalledApp, microphoneSettingsAddress } from './microphone-settings.ts';
import { type MicrophoneFailure, MicrophoneError, type MicrophoneReplacement } from './microphone.ts';

const SENTENCE_BY_FAILURE: Record<Exclude<MicrophoneFailure, 'denied'>, string> = {
  none: t('No microphone was found. Plug one in, or switch on the one in your headset, then try again.'),
  in_use: t('Another program is using the microphone. Close it, then try again.'),
  unplugged: t('The microphone was unplugged. What you said until then is kept. Plug it in, then try again.'),
  asleep: t(
    'Your computer went to sleep, so the recording stopped. What you said until then is kept, and you can go on now.',
  ),
  unsupported: t('Parley couldn’t start the microphone. Try another one, or restart Parley.'),
};

export function microphoneErrorSentence(error: unknown): string {
  if (error instanceof ORPCError) return errorSentence(error);
  const failure = error instanceof MicrophoneError ? error.failure : 'unsupported';
  return failure === 'denied' ? microphoneDeniedSentence(navigator.userAgent) : SENTENCE_BY_FAILURE[failure];
}

/** Says where to allow the microphone. A browser asks for each page, and Linux has no single place for it. */
export function microphoneDeniedSentence(userAgent: string): string {
  if (!isInstalledApp(userAgent))
    return t('Allow the microphone for this page in the address bar. Then come back here.');
  return microphoneSettingsAddress(userAgent) === null
    ? t('Allow it in your system settings. Then come back here.')
    : t('Allow it in your system settings under Privacy, Microphone. Then come back here.');
}

export function microphoneReplacedSentence({ name, reason }: MicrophoneReplacement): string {
  switch (reason) {
    case 'unplugged':
      return name === ''
        ? t(
            'Your microphone was unplugged, so Parley is listening with another one. What you’ve said is kept: carry on.',
          )
        : t(
            'Your microphone was unplugged, so Parley is listening with “{name}”. What you’ve said is kept: carry on.',
            { name },
          );
    case 'default_changed':
      return name === ''
        ? t(
            'Your computer now uses another microphone, so Parley is listening with it. What you’ve said is kept: carry on.',
          )
        : t(
            'Your computer now uses another microphone, so Parley is listening with “{name}”. What you’ve said is kept: carry on.',
            { name },
          );
    default:
      return assertNever(reason);
  }
}
