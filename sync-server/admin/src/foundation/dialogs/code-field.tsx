/** A field for a code that was sent, or that an app shows. */
import { t } from '@parley/i18n';
import { TextField } from '@parley/ui';
import type { ReactElement } from 'react';

/** Sent messages are limited, so this does not promise that one has arrived. */
export const NewCodeNotice = (): ReactElement => (
  <p role="status">
    {t(
      'We’re sending a new e-mail. We send at most three in fifteen minutes. If none arrives, use the newest one you have.',
    )}
  </p>
);

export const CodeField = ({
  label = t('Code'),
  value,
  onChange,
}: {
  label?: string;
  value: string;
  onChange: (code: string) => void;
}): ReactElement => (
  <TextField
    label={label}
    value={value}
    onChange={onChange}
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={12}
    autoFocus
  />
);
