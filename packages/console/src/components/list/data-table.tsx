/** The table of every list in the consoles. */
import { ActionIcon, Button, Loader, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { createColumnHelper, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, useEffect, useId, useMemo, useRef, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { List } from '../../api/list.ts';
import { isFormOpen } from '../../api/open-forms.ts';
import { Empty, Failure } from '../page/loaded.tsx';
import { textsOf } from '../../texts/texts.ts';
import { useView } from './view-state.ts';

const t = textsOf('core');

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Whether the column is aligned to its end, as numbers are. */
  end?: boolean;
  /** On a phone: the title of a row, or a value over the whole width. */
  wide?: boolean;
}

interface DataTableProps<T> {
  /** The table's name for screen readers. */
  name: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** The list that the rows come from, if they are loaded page by page. */
  list?: Pick<List<T>, 'query'>;
  /** Whether all rows are shown at once: for a short table that is read as a whole. */
  whole?: boolean;
  /** Opens a row. The first column should hold a link that does the same, for keyboards. */
  onOpen?: (row: T) => void;
}

const features = tableFeatures({});
const rowHeight = 49;

/** A table that draws only the visible rows, and loads further pages as their place becomes visible. */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { list, rows, empty, columns } = props;
  const isNarrow = useSyncExternalStore(watchWidth, readWidth, () => false);
  // The service looks at a part of a long list at a time, and may find nothing in it.
  const isIncomplete = list?.query.hasNextPage === true && !list.query.isError;
  useMore(rows.length === 0 ? list : undefined, 0, 0);
  if (list?.query.isPending === true) return <Pending columns={columns.length} />;
  if (list?.query.isError === true && rows.length === 0) {
    const { error } = list.query;
    if (error instanceof ApiError && error.field === 'sort') return <Unsortable />;
    return <Failure error={error} retry={() => void list.query.refetch()} />;
  }
  if (rows.length === 0 && isIncomplete) return <Pending columns={columns.length} />;
  if (rows.length === 0) return <div className="table-scroll">{empty}</div>;
  return isNarrow ? <Cards {...props} /> : <Rows {...props} />;
}

const narrow = '(max-width: 40em)';
let wasNarrow = false;

function watchWidth(tell: () => void): () => void {
  const found = matchMedia(narrow);
  found.addEventListener('change', tell);
  return () => found.removeEventListener('change', tell);
}

/** Whether rows are cards. A phone that is turned while the dialog of a row has a form keeps the form (D-981). */
function readWidth(): boolean {
  if (!isFormOpen()) wasNarrow = matchMedia(narrow).matches;
  return wasNarrow;
}

/** Stands for a list that is too long to be sorted by amount (D-321). */
function Unsortable() {
  const [, change] = useView();
  return (
    <div className="table-scroll" role="alert">
      <Empty title={t('too_many_orders_to_sort')}>
        <p>{t('narrow_the_list_or_sort_by')}</p>
        <Button size="xs" variant="default" onClick={() => change({ sort: '' })}>
          {t('sort_by_creation')}
        </Button>
      </Empty>
    </div>
  );
}

/** Loads the next page shortly before its place becomes visible. */
function useMore<T>(list: DataTableProps<T>['list'], last: number, count: number): void {
  const { hasNextPage = false, isFetchingNextPage = false, isFetchNextPageError = false } = list?.query ?? {};
  const fetchNextPage = list?.query.fetchNextPage;
  // After a failure a person asks again.
  const isReady = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isReady && last >= count - 10) void fetchNextPage?.();
  }, [isReady, fetchNextPage, last, count]);
}

function Rows<T extends RowData>(props: DataTableProps<T>) {
  const { name, columns, rows, rowKey, list, onOpen, whole = false } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const defs = useMemo(() => {
    const helper = createColumnHelper<typeof features, T>();
    return helper.columns(columns.map(({ header }) => helper.display({ id: header, header })));
  }, [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: defs, data, getRowId: rowKey });
  const model = table.getRowModel().rows;
  // React's compiler skips a component that uses this hook, which is right.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: model.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 1_000, height: 700 },
  });
  const items = virtual.getVirtualItems();
  useMore(list, items.at(-1)?.index ?? 0, model.length);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      className="table-scroll"
      ref={scroll}
      tabIndex={0}
      role="region"
      aria-label={name}
      style={whole ? undefined : { maxHeight: 'max(420px, calc(100dvh - 300px))' }}
    >
      <table className="table" aria-rowcount={list?.query.hasNextPage === true ? -1 : model.length + 1}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header, index) => (
                <th key={header.id} scope="col" className={columns[index]?.end === true ? 'end' : undefined}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {above > 0 && <Space height={above} columns={columns.length} />}
          {items.map((item) => {
            const row = model[item.index];
            if (row === undefined) return null;
            return (
              <tr
                key={row.id}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                ref={virtual.measureElement}
                className={onOpen === undefined ? undefined : 'opens'}
                onClick={
                  onOpen === undefined ? undefined : (event) => openBy(event, () => onOpen(row.original))
                }
              >
                {row.getAllCells().map((cell, index) => (
                  <td key={cell.id} className={columns[index]?.end === true ? 'end' : undefined}>
                    {/* Not as a component of its own: a new list of columns would replace the input at each key (D-552). */}
                    {columns[index]?.cell(row.original)}
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 && <Space height={below} columns={columns.length} />}
        </tbody>
      </table>
      <More list={list} />
    </div>
  );
}

/** Opens a row on a click, unless the click was on a link or a button in it, or selected text. */
function openBy(event: React.MouseEvent<HTMLTableRowElement>, open: () => void): void {
  const isTheirs = (event.target as Element).closest('a, button, input, label') !== null;
  if (!isTheirs && window.getSelection()?.isCollapsed !== false) open();
}

const Space = ({ height, columns }: { height: number; columns: number }) => (
  <tr className="space" aria-hidden>
    <td colSpan={columns} style={{ height }} />
  </tr>
);

/** The table on a phone: one short card for each row, which opens, and a button that loads more. */
function Cards<T>({ name, columns, rows, rowKey, list }: DataTableProps<T>) {
  return (
    <>
      <ul className="cards" aria-label={name}>
        {rows.map((row) => (
          <Card key={rowKey(row)} row={row} columns={columns} />
        ))}
      </ul>
      {list?.query.isFetchNextPageError === true ? (
        <More list={list} />
      ) : (
        list?.query.hasNextPage === true && (
          <Button
            variant="default"
            mt="sm"
            loading={list.query.isFetchingNextPage}
            onClick={() => void list.query.fetchNextPage()}
          >
            {t('show_more')}
          </Button>
        )
      )}
    </>
  );
}

/** A row on a phone: what it is, its first figure and two more values. All of it is shown on demand. */
function Card<T>({ row, columns }: { row: T; columns: readonly Column<T>[] }) {
  const titled = useId();
  const [opened, { toggle }] = useDisclosure(false);
  const title = columns.find(({ wide }) => wide === true) ?? columns[0];
  const figure = columns.find((column) => column.end === true && column !== title);
  const others = columns.filter((column) => column !== title && column !== figure);
  return (
    <li>
      <div className={opened ? 'card-head opened' : 'card-head'}>
        <div className="card-title" id={titled}>
          {title?.cell(row)}
        </div>
        {figure !== undefined && !opened && (
          <div className="card-figure">
            <span>{figure.header}</span> {figure.cell(row)}
          </div>
        )}
        {others.length > 0 && (
          <ActionIcon
            className="card-opener"
            variant="subtle"
            color="gray"
            size="lg"
            aria-expanded={opened}
            aria-label={opened ? t('show_less') : t('show_everything')}
            // Which row it is (D-1350).
            aria-describedby={titled}
            onClick={toggle}
          >
            <IconChevronDown size={18} className={opened ? 'turned' : undefined} />
          </ActionIcon>
        )}
        {!opened && (
          <div className="card-more">
            {others.slice(0, 2).map(({ header, cell, end = false }) => (
              // A figure says nothing without its name (D-657).
              <span key={header}>
                {end && <span>{header}</span>} {cell(row)}
              </span>
            ))}
          </div>
        )}
      </div>
      {opened && (
        <dl>
          {[...(figure === undefined ? [] : [figure]), ...others].map(({ header, cell, wide = false }) => (
            <Fragment key={header}>
              <dt className={wide ? 'wide' : undefined}>{header}</dt>
              <dd className={wide ? 'wide' : undefined}>{cell(row)}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </li>
  );
}

function More<T>({ list }: Pick<DataTableProps<T>, 'list'>) {
  if (list === undefined) return null;
  if (list.query.isFetchNextPageError) {
    return <Failure error={list.query.error} retry={() => void list.query.fetchNextPage()} />;
  }
  if (!list.query.isFetchingNextPage) return null;
  return (
    <Text c="dimmed" size="sm" p="sm" ta="center" role="status">
      <Loader size={14} me={8} /> {t('loading_more')}
    </Text>
  );
}

function Pending({ columns }: { columns: number }) {
  return (
    <div className="table-scroll" role="status" aria-label={t('loading')}>
      <table className="table" aria-hidden>
        <tbody>
          {Array.from({ length: 8 }, (_, line) => (
            <tr key={line}>
              {Array.from({ length: columns }, (_ignored, column) => (
                <td key={column}>
                  <Skeleton h={14} w={`${85 - ((line * 13 + column * 29) % 50)}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
