/** The payment provider's products, as mirrored on this server. */
import { planName, type ProductRow, type ProductsRequest } from '@parley/contract';
import { formatInterval, formatMoney } from '@parley/domain';
import { formatLocale, t } from '@parley/i18n';
import { Badge } from '@parley/ui';
import type { ReactElement } from 'react';
import { client } from '../foundation/api/client.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatNumber } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';

const planOf = ({ price }: ProductRow): string => (price === null ? '–' : planName(price.plan, t));

function priceOf({ price }: ProductRow): string {
  if (price === null) return t('No price');
  const { unitAmount, currency, interval, intervalCount } = price;
  const amount = formatMoney(unitAmount, currency, formatLocale());
  return interval === null ? amount : `${amount} ${formatInterval({ interval, intervalCount }, t)}`;
}

const notesOf = ({ isTest, isActive, price }: ProductRow): string[] => [
  ...(price?.pricingType === 'one_time' ? [t('A single payment: not offered to learners')] : []),
  ...(isTest ? [t('Test mode: no real money')] : []),
  ...(isActive ? [] : [t('No longer sold')]),
];

const columns: readonly ListColumn<ProductRow>[] = [
  {
    id: 'product',
    title: t('Product'),
    sort: 'name',
    csv: ({ name }) => name,
    cell: (row) => (
      <>
        <span className={table['buttons']}>
          <bdi>{row.name}</bdi>
          {notesOf(row).map((note) => (
            <Badge key={note}>{note}</Badge>
          ))}
        </span>
        {row.description !== null && (
          <div className={table['small']}>
            <bdi>{row.description}</bdi>
          </div>
        )}
      </>
    ),
  },
  { id: 'plan', title: t('Plan'), csv: planOf, cell: planOf },
  {
    id: 'price',
    title: t('Price'),
    sort: 'unitAmount',
    csv: priceOf,
    cell: (row) => (
      <>
        {priceOf(row)}
        {row.price !== null && row.price.description !== null && (
          <div className={table['small']}>
            <bdi>{row.price.description}</bdi>
          </div>
        )}
      </>
    ),
  },
  {
    id: 'subscriptions',
    title: t('Learners on this plan'),
    sort: 'subscriptions',
    isNumber: true,
    csv: ({ price }) => String(price?.subscriptions ?? 0),
    cell: ({ price }) => formatNumber(price?.subscriptions ?? 0),
  },
];

const FILTERS: readonly ListFilter[] = [
  {
    id: 'only',
    label: t('Show'),
    options: [
      { value: 'all', label: t('All products') },
      { value: 'sold', label: t('On sale') },
      { value: 'not_sold', label: t('No longer sold') },
    ],
  },
];

export function ProductsScreen(): ReactElement {
  return (
    <Screen
      title={t('Prices')}
      intro={t(
        'Products and prices are changed at your payment provider and copied here. Nothing on this page changes what is charged.',
      )}
    >
      <List<ProductRow>
        name={t('Prices')}
        count={(count) => t('{count, plural, one {# price} other {# prices}}', { count })}
        columns={columns}
        rowId={({ productId, price }) => price?.priceId ?? productId}
        defaultSort={{ sort: 'name', direction: 'asc' }}
        queryKey={['products']}
        filters={FILTERS}
        searchLabel={t('Product')}
        load={({ sort, ...request }, { only }) =>
          client.admin.products({
            ...request,
            sort: sort as ProductsRequest['sort'],
            ...(only === undefined ? {} : { only: only as NonNullable<ProductsRequest['only']> }),
          })
        }
        empty={{
          title: t('No prices yet'),
          text: t('This server sells nothing yet. The person who runs it can connect a payment provider.'),
        }}
      />
    </Screen>
  );
}
