/** The numbers of a plot as a table, which opens below the plot. */
import { t } from '@parley/i18n';
import type { ReactElement, ReactNode } from 'react';
import { WideTable } from '../foundation/screen/wide-table.tsx';

export const TableBehind = ({ name, children }: { name: string; children: ReactNode }): ReactElement => (
  <details>
    <summary>{t('Show as a table')}</summary>
    <WideTable name={name}>{children}</WideTable>
  </details>
);
