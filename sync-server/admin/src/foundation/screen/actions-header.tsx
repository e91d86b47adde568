/** The header of a column of buttons, which only screen readers need. */
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import table from './table.module.css';

export const ActionsHeader = (): ReactElement => (
  <th className={table['end']}>
    <span className={table['hidden']}>{t('What you can do')}</span>
  </th>
);
