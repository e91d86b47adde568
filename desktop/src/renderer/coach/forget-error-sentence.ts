/** Explains why a note could not be deleted. Only the server can delete it, for all devices at once. */
import { t } from '@parley/i18n';
import { errorCode, errorSentence } from '../foundation/sentences/error-sentence.ts';

export function forgetErrorSentence(note: string, error: unknown): string {
  const line = note.replace(/[.\s]+$/, '');
  return errorCode(error) === 'sync.offline'
    ? t(
        'Parley couldn’t delete “{line}”. Only the server can delete it, and Parley can’t reach it. Try again when you’re online.',
        { line },
      )
    : t('Parley couldn’t delete “{line}”. {error}', { line, error: errorSentence(error) });
}
