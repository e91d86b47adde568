/** Lists the invoices; the documents themselves are with the payment provider. */
import { t } from '@parley/i18n';
import { Card, MutedText } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { QueryView } from '../../foundation/screen/screen.tsx';
import { formatDate } from '../../foundation/sentences/format-date.ts';
import css from '../account.module.css';
import { describeInvoice } from './invoice-text.ts';

export function Invoices(): ReactElement {
  const { queries } = useHost();
  const invoices = useQuery(queries.billing.invoices.queryOptions());
  return (
    <Card>
      <h2>{t('Invoices')}</h2>
      <QueryView query={invoices} loadingLabel={t('Loading your invoices')} comesFrom="server">
        {(all) =>
          // The provider also issues invoices of zero, for example for a trial.
          all.every(({ amount }) => amount === 0) ? (
            <MutedText>{t('None yet.')}</MutedText>
          ) : (
            <table className={css['invoices']}>
              <thead>
                <tr>
                  <th scope="col">{t('Date')}</th>
                  <th scope="col">{t('Number')}</th>
                  <th scope="col">{t('Amount')}</th>
                  <th scope="col">{t('Status')}</th>
                </tr>
              </thead>
              <tbody>
                {all
                  .filter(({ amount }) => amount !== 0)
                  .map((invoice) => (
                    <tr key={`${invoice.at} ${invoice.number ?? ''}`}>
                      <td>{formatDate(invoice.at)}</td>
                      <td>
                        {invoice.url === null ? (
                          (invoice.number ?? '–')
                        ) : (
                          <a href={invoice.url} target="_blank" rel="noopener noreferrer">
                            {invoice.number ?? t('Open')}
                          </a>
                        )}
                      </td>
                      <td>{describeInvoice(invoice).amount}</td>
                      <td>{describeInvoice(invoice).status}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          )
        }
      </QueryView>
    </Card>
  );
}
