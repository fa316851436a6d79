/** One box that finds orders, products, people and API requests of this merchant: Ctrl+K, or `/` outside of a field. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconBox, IconListSearch, IconSearch, IconShoppingCart, IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type components } from '../api/client.ts';

type Found = components['schemas']['Found']['items'][number];

const icon = { size: 18, stroke: 1.7 } as const;
const groups: readonly (readonly [Found['kind'], string, ReactNode])[] = [
  ['order', 'Orders', <IconShoppingCart key="order" {...icon} />],
  ['product', 'Products', <IconBox key="product" {...icon} />],
  ['person', 'Team', <IconUser key="person" {...icon} />],
  ['request', 'API requests', <IconListSearch key="request" {...icon} />],
];

const none: readonly Found[] = [];

export function SearchBox({ merchant_no }: { merchant_no: string }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 200);
  const open = useOpen(merchant_no);
  const search = useQuery({
    queryKey: ['merchant', merchant_no, 'search', asked],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/search', {
          params: { path: { merchant_no }, query: { q: asked } },
          signal,
        }),
      ),
    enabled: asked.length >= 2,
    placeholderData: keepPreviousData,
  });
  const items = asked.length < 2 ? none : (search.data?.items ?? none);
  const nothing = search.isError
    ? 'The search did not work. Please try again.'
    : asked.length < 2
      ? 'Type two characters or more: a part of a reference, a number, a name.'
      : search.isFetching
        ? 'Searching …'
        : 'Nothing fits.';
  return (
    <>
      <Tooltip label="Search (Ctrl+K or /)" openDelay={300}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Search"
          onClick={() => spotlight.open()}
        >
          <IconSearch {...icon} />
        </ActionIcon>
      </Tooltip>
      <Spotlight.Root
        attributes={{ content: { 'aria-label': 'Search' } }}
        query={text}
        onQueryChange={setText}
        shortcut={['mod + K', '/']}
        scrollable
        maxHeight={420}
      >
        <Spotlight.Search
          placeholder="Search orders, products, team, API requests"
          aria-label="Search"
          leftSection={<IconSearch {...icon} />}
        />
        <Spotlight.ActionsList>
          {groups.map(([kind, label, mark]) => {
            const found = items.filter((one) => one.kind === kind);
            return found.length === 0 ? null : (
              <Spotlight.ActionsGroup key={kind} label={label}>
                {found.map((one) => (
                  <Spotlight.Action
                    key={one.id}
                    label={one.title}
                    description={one.about}
                    leftSection={mark}
                    onClick={() => open(one)}
                  />
                ))}
              </Spotlight.ActionsGroup>
            );
          })}
          {items.length === 0 && <Spotlight.Empty>{nothing}</Spotlight.Empty>}
        </Spotlight.ActionsList>
      </Spotlight.Root>
    </>
  );
}

/** Opens what was found. */
function useOpen(merchant_no: string): (found: Found) => void {
  const navigate = useNavigate();
  return ({ kind, id }) => {
    const base = '/console/merchants/$merchant_no';
    switch (kind) {
      case 'order':
        return void navigate({ to: `${base}/orders/$order_no`, params: { merchant_no, order_no: id } });
      case 'product':
        return void navigate({ to: `${base}/products/$gd_no`, params: { merchant_no, gd_no: id } });
      case 'person':
        return void navigate({ to: `${base}/settings`, params: { merchant_no } });
      case 'request':
        return void navigate({
          to: `${base}/developers/requests`,
          params: { merchant_no },
          search: { request_id: id },
        });
    }
  };
}
