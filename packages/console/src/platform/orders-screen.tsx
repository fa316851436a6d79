import { Button, Group, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';

/** Orders across all merchants. */
export function PlatformOrdersScreen() {
  const [order_no, setOrderNo] = useState('');
  const navigate = useNavigate();
  return (
    <Page title="Orders" about="Any order of any merchant, by its number.">
      <Panel title="Find an order">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (order_no.trim() !== '') {
              void navigate({ to: '/platform/orders/$order_no', params: { order_no: order_no.trim() } });
            }
          }}
        >
          <Group align="flex-end">
            <TextInput
              label="Order number"
              placeholder="mp_…"
              value={order_no}
              onChange={(event) => setOrderNo(event.currentTarget.value)}
              w={{ base: '100%', xs: 360 }}
            />
            <Button type="submit">Open</Button>
          </Group>
        </form>
      </Panel>
    </Page>
  );
}
