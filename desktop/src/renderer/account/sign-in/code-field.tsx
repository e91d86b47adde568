import { t } from '@parley/i18n';
import { TextField } from '@parley/ui';
import type { ReactElement } from 'react';

interface CodeFieldProps {
  value: string;
  onChange: (digits: string) => void;
  onSubmit: () => void;
  isInvalid: boolean;
}

/** Asks for the six digits of a message. */
export const CodeField = (props: CodeFieldProps): ReactElement => (
  <TextField {...props} label={t('Code')} autoFocus maxLength={12} inputMode="numeric" autoComplete="one-time-code" />
);
