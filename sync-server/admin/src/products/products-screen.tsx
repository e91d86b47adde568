/** What the payment provider sells, as it is mirrored on this server. */
import { planName } from '@parley/contract';
import { formatInterval, formatMoney } from '@parley/domain';
import { formatLocale, t } from '@parley/i18n';
import { Badge } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../foundation/api/client.ts';
import { formatNumber } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';

export function ProductsScreen(): ReactElement {
  const products = useQuery(api.admin.products.queryOptions({ input: {} }));
  return (
    <Screen
      title={t('Prices')}
      intro={t(
        'Products and prices are changed at your payment provider and copied here. Nothing on this page changes what is charged.',
      )}
    >
      <QueryView query={products}>
        {(all) =>
          all.length === 0 ? (
            <p className={table['quiet']}>
              {t('This server sells nothing yet. The person who runs it can connect a payment provider.')}
            </p>
          ) : (
            <div className={table['stack']}>
              {all.map(({ productId, name, description, isActive, isTest, prices }) => (
                <section key={productId} className={table['section']}>
                  <div className={table['buttons']}>
                    <h2>
                      <bdi>{name}</bdi>
                    </h2>
                    {isTest && <Badge>{t('Test mode: no real money')}</Badge>}
                    {!isActive && <Badge>{t('Not sold any more')}</Badge>}
                  </div>
                  {description !== null && <p className={table['quiet']}>{description}</p>}
                  <table className={table['table']}>
                    <thead>
                      <tr>
                        <th>{t('Plan')}</th>
                        <th>{t('Price')}</th>
                        <th className={table['end']}>{t('Learners on this plan')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {prices.map(({ priceId, plan, unitAmount, currency, interval, intervalCount, subscriptions }) => (
                        <tr key={priceId}>
                          <td>{planName(plan, t)}</td>
                          <td>
                            {formatMoney(unitAmount, currency, formatLocale())}
                            {interval !== null && ` ${formatInterval({ interval, intervalCount }, t)}`}
                          </td>
                          <td className={table['end']}>{formatNumber(subscriptions)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
              ))}
            </div>
          )
        }
      </QueryView>
    </Screen>
  );
}
