/** Explains why a note could not be deleted. Only the server can delete it, for all devices at once. */
import { t } from '@parley/i18n';
import { errorCode, errorSentence } from '../foundation/sentences/error-sentence.ts';

export const forgetErrorSentence = (line: string, error: unknown): string =>
  errorCode(error) === 'sync.offline'
    ? t(
        'Not deleted: “{line}” Only the server can delete it, and it cannot be reached. Try again when you are online.',
        { line },
      )
    : t('Not deleted: “{line}” {error}', { line, error: errorSentence(error) });
