/** A list that the server searches, sorts and pages, with its state in the address, a selection, and an export as CSV. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  type ColumnDef,
  rowSelectionFeature,
  type RowSelectionState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from 'react';
import { errorSentence } from '../api/error-sentence.ts';
import { formatNumber } from '../screen/format.ts';
import { ExportButton } from './export-button.tsx';
import { FilterField, type ListFilter } from './filter-field.tsx';
import { lastPageBefore, type ListState, PAGE_SIZE, pagesOf } from './list-search.ts';
import { SearchField } from './search-field.tsx';
import css from './list.module.css';

export type { ListFilter } from './filter-field.tsx';

const features = tableFeatures({ rowSelectionFeature });

export interface ListColumn<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** The column's text in the exported file; columns without it are not exported. */
  csv?: (row: Row) => string;
  /** The server's name for sorting by this column. Columns without it cannot be sorted. */
  sort?: string;
  isNumber?: boolean;
  /** A column of buttons at the end of the row, whose title only screen readers need. */
  isActions?: boolean;
}

export interface ListRequest {
  search: string;
  sort: string;
  direction: 'asc' | 'desc';
  page: number;
  pageSize: number;
}

export interface ListPage<Row> {
  total: number;
  rows: readonly Row[];
}

export interface ListProps<Row> {
  /** For screen readers and the name of the exported file, such as `Learners`. */
  name: string;
  /** For example `12 learners`. */
  count: (count: number) => string;
  columns: readonly ListColumn<Row>[];
  rowId: (row: Row) => string;
  /** Read by screen readers for the row's checkbox. */
  rowName?: (row: Row) => string;
  defaultSort: { sort: string; direction: 'asc' | 'desc' };
  /** Loads a page. `filters` contains every filter that is not at its default. */
  load: (request: ListRequest, filters: Readonly<Record<string, string>>) => Promise<ListPage<Row>>;
  /** Identifies this list in the cache. */
  queryKey: readonly unknown[];
  filters?: readonly ListFilter[];
  searchLabel?: string;
  /** The actions for the selected rows. Without them, rows cannot be selected. */
  renderBulkActions?: (rows: readonly Row[], clearSelection: () => void) => ReactNode;
  /** For example `2 learners selected`. */
  selectedCount?: (count: number) => string;
  /** Shown for an empty list. The text must not repeat the screen’s introduction. */
  empty: { title: string; text?: string };
}

const isAtEnd = (column: { isNumber?: boolean; isActions?: boolean } | undefined): boolean =>
  column?.isNumber === true || column?.isActions === true;

/** A filter value in the address that the list does not offer, such as one from an older link, is ignored. */
const isValueOf = (filter: ListFilter, value: string): boolean =>
  !('options' in filter) || filter.options.slice(1).some((option) => option.value === value);

export function List<Row extends object>(props: ListProps<Row>): ReactElement {
  const { columns, rowId, defaultSort, load, queryKey, filters = [], renderBulkActions, count } = props;
  const state = useSearch({ strict: false }) as ListState & Record<string, unknown>;
  const navigate = useNavigate();
  // A selection survives paging, so the rows themselves are kept.
  const [selectedRows, setSelectedRows] = useState<ReadonlyMap<string, Row>>(new Map());

  const request: ListRequest = {
    search: state.search ?? '',
    sort: state.sort ?? defaultSort.sort,
    direction: state.direction ?? defaultSort.direction,
    page: (state.page ?? 1) - 1,
    pageSize: PAGE_SIZE,
  };
  const filterValues = Object.fromEntries(
    filters.flatMap((filter) => {
      const value = state[filter.id];
      return typeof value === 'string' && isValueOf(filter, value) ? [[filter.id, value]] : [];
    }),
  );
  const query = useQuery({
    queryKey: [...queryKey, request, filterValues],
    queryFn: () => load(request, filterValues),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.rows ?? [];
  const change = (next: Partial<ListState> & Record<string, unknown>, options: { replace?: boolean } = {}): void =>
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => ({ ...previous, page: undefined, ...next }),
      ...options,
    });
  const clearSelection = (): void => setSelectedRows(new Map());
  const selection: RowSelectionState = Object.fromEntries([...selectedRows.keys()].map((id) => [id, true]));
  const select = (updater: RowSelectionState | ((before: RowSelectionState) => RowSelectionState)): void => {
    const next = typeof updater === 'function' ? updater(selection) : updater;
    const known = new Map([...selectedRows, ...rows.map((row) => [rowId(row), row] as const)]);
    setSelectedRows(new Map([...known].filter(([id]) => next[id] === true)));
  };

  const tableColumns = useMemo(
    () =>
      columns.map(({ id, title, cell }): ColumnDef<typeof features, Row> => ({
        id,
        header: title,
        cell: ({ row }) => cell(row.original),
      })),
    [columns],
  );
  const table = useTable({
    features,
    data: rows,
    columns: tableColumns,
    getRowId: rowId,
    enableRowSelection: renderBulkActions !== undefined,
    state: { rowSelection: selection },
    onRowSelectionChange: select,
  });
  const columnsById = new Map(columns.map((column) => [column.id, column]));
  const total = query.data?.total ?? 0;
  const isEmpty = query.isSuccess && total === 0;
  const pages = pagesOf(total);
  const page = request.page + 1;
  // A response for another page or search says nothing about this one.
  const isSettled = query.isSuccess && !query.isPlaceholderData && !query.isFetching;
  const lastPage = isSettled ? lastPageBefore(page, total) : null;
  useEffect(() => {
    if (lastPage === null) return;
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => ({ ...previous, page: lastPage === 1 ? undefined : lastPage }),
      replace: true,
    });
  }, [lastPage, navigate]);
  const isFiltered = request.search !== '' || Object.keys(filterValues).length > 0;
  const toggleSort = (sort: string): void => {
    const isSame = request.sort === sort;
    change({ sort, direction: isSame && request.direction === 'asc' ? 'desc' : 'asc' });
  };

  return (
    <section aria-label={props.name} className={css['list']}>
      <div className={css['tools']}>
        {props.searchLabel !== undefined && (
          <SearchField
            label={props.searchLabel}
            value={request.search}
            onChange={(search) => change({ search: search === '' ? undefined : search }, { replace: true })}
          />
        )}
        {filters.map((filter) => (
          <FilterField
            key={filter.id}
            filter={filter}
            value={filterValues[filter.id]}
            onChange={(value) => change({ [filter.id]: value }, { replace: 'type' in filter })}
          />
        ))}
        <ExportButton
          name={props.name}
          columns={columns}
          rowId={rowId}
          total={total}
          loadPage={(next) => load({ ...request, ...next }, filterValues)}
        />
      </div>
      {query.isError && (
        <Banner tone="error" action={<Button onPress={() => void query.refetch()}>{t('Try again')}</Button>}>
          {errorSentence(query.error)}
        </Banner>
      )}
      {renderBulkActions !== undefined && selectedRows.size > 0 && (
        <div className={css['bulk']} role="region" aria-label={t('Selected')}>
          <strong>{props.selectedCount?.(selectedRows.size)}</strong>
          {renderBulkActions([...selectedRows.values()], clearSelection)}
          <Button variant="quiet" onPress={clearSelection}>
            {t('Clear')}
          </Button>
        </div>
      )}
      {isEmpty ? (
        <div className={css['empty']}>
          <h2>{isFiltered ? t('Nothing matches') : props.empty.title}</h2>
          {isFiltered ? <p>{t('Change the search or the filter.')}</p> : props.empty.text && <p>{props.empty.text}</p>}
        </div>
      ) : (
        <div className={css['scroll']} tabIndex={0} role="region" aria-label={t('{name}, table', { name: props.name })}>
          <table className={css['table']} aria-busy={query.isFetching}>
            <thead>
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id}>
                  {renderBulkActions !== undefined && (
                    <th className={css['check']}>
                      <input
                        type="checkbox"
                        aria-label={t('Select this page')}
                        checked={table.getIsAllPageRowsSelected()}
                        onChange={table.getToggleAllPageRowsSelectedHandler()}
                      />
                    </th>
                  )}
                  {group.headers.map((header) => {
                    const column = columnsById.get(header.column.id);
                    const sort = column?.sort;
                    const title = column?.title;
                    const isSorted = sort !== undefined && sort === request.sort;
                    return (
                      <th
                        key={header.id}
                        className={isAtEnd(column) ? css['number'] : undefined}
                        {...(isSorted ? { 'aria-sort': request.direction === 'asc' ? 'ascending' : 'descending' } : {})}
                      >
                        {sort === undefined ? (
                          <span className={column?.isActions === true ? css['hidden'] : undefined}>{title}</span>
                        ) : (
                          <button type="button" className={css['sort']} onClick={() => toggleSort(sort)}>
                            {title}
                            <span aria-hidden="true">{isSorted ? (request.direction === 'asc' ? '↑' : '↓') : ''}</span>
                          </button>
                        )}
                      </th>
                    );
                  })}
                </tr>
              ))}
            </thead>
            <tbody>
              {table.getRowModel().rows.map((row) => (
                <tr key={row.id} data-selected={row.getIsSelected() || undefined}>
                  {renderBulkActions !== undefined && (
                    <td className={css['check']}>
                      <input
                        type="checkbox"
                        aria-label={t('Select {name}', { name: props.rowName?.(row.original) ?? row.id })}
                        checked={row.getIsSelected()}
                        onChange={row.getToggleSelectedHandler()}
                      />
                    </td>
                  )}
                  {row.getAllCells().map((cell) => (
                    <td key={cell.id} className={isAtEnd(columnsById.get(cell.column.id)) ? css['number'] : undefined}>
                      <table.FlexRender cell={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <nav className={css['pages']} aria-label={t('Pages')}>
        {/* An empty list says so itself, but only here is it announced. */}
        <span role="status" className={isEmpty ? css['hidden'] : undefined}>
          {query.isPending ? t('Loading…') : query.data === undefined ? '' : count(query.data.total)}
        </span>
        {pages > 1 && (
          <>
            <Button isDisabled={page <= 1} onPress={() => change({ page: page === 2 ? undefined : page - 1 })}>
              {t('Previous')}
            </Button>
            <span>{t('Page {page} of {pages}', { page: formatNumber(page), pages: formatNumber(pages) })}</span>
            <Button isDisabled={page >= pages} onPress={() => change({ page: page + 1 })}>
              {t('Next')}
            </Button>
          </>
        )}
      </nav>
    </section>
  );
}
