/** What was paid; the papers themselves are with the payment provider. */
import { Card, Quiet } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered } from '../app/screen.tsx';
import { dayOf } from '../app/when.ts';
import css from './account.module.css';
import { inWords } from './invoice-words.ts';

export function Invoices(): ReactElement {
  const { queries } = useHost();
  const invoices = useQuery(queries.billing.invoices.queryOptions());
  return (
    <Card>
      <h2>Invoices</h2>
      <Answered query={invoices} waiting="Loading your invoices">
        {(all) =>
          // Of what cost nothing, such as a free week, the provider writes one too.
          all.every(({ amount }) => amount === 0) ? (
            <Quiet>None yet.</Quiet>
          ) : (
            <table className={css['invoices']}>
              <thead>
                <tr>
                  <th scope="col">Date</th>
                  <th scope="col">Number</th>
                  <th scope="col">Amount</th>
                  <th scope="col">Status</th>
                </tr>
              </thead>
              <tbody>
                {all
                  .filter(({ amount }) => amount !== 0)
                  .map((invoice) => (
                    <tr key={`${invoice.at} ${invoice.number ?? ''}`}>
                      <td>{dayOf(invoice.at)}</td>
                      <td>
                        {invoice.url === null ? (
                          (invoice.number ?? '–')
                        ) : (
                          <a href={invoice.url} target="_blank" rel="noopener noreferrer">
                            {invoice.number ?? 'Open'}
                          </a>
                        )}
                      </td>
                      <td>{inWords(invoice).amount}</td>
                      <td>{inWords(invoice).status}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          )
        }
      </Answered>
    </Card>
  );
}
