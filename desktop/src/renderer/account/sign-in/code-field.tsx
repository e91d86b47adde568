import { t } from '@parley/i18n';
import { TextField } from '@parley/ui';
import type { ReactElement } from 'react';

interface CodeFieldProps {
  value: string;
  onChange: (digits: string) => void;
  onSubmit: () => void;
  isInvalid: boolean;
}

/** Sent e-mails are limited, so this does not promise that one has arrived. */
export const newCodeSentence = (): string =>
  t(
    'We’re sending a new e-mail. We send at most three in fifteen minutes. If none arrives, use the newest one you have.',
  );

/** Asks for the six digits of an e-mail. */
export const CodeField = (props: CodeFieldProps): ReactElement => (
  <TextField {...props} label={t('Code')} autoFocus maxLength={12} inputMode="numeric" autoComplete="one-time-code" />
);
