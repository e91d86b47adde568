/** The text of a report, word for word. */
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import css from './help.module.css';

/** It scrolls, so it must be reachable with the keyboard. */
export const ReportText = ({ text }: { text: string }): ReactElement => (
  <pre className={css['report']} tabIndex={0} aria-label={t('The text of the report')} lang="en" dir="ltr">
    {text}
  </pre>
);
