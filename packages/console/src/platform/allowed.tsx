/** Hides what the role of the signed-in person does not allow on the platform (D-500). */
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { sessionQuery } from '../api/session.ts';
import { ActionButton, type ActionButtonProps } from '../components/dialog/action-dialog.tsx';
import { CsvExport } from '../components/list/csv-export.tsx';
import { type Doing, mayDo } from './permissions.ts';

/** Whether the signed-in person may do this. */
export function useMayDo(doing: Doing): boolean {
  return mayDo(useQuery(sessionQuery).data?.role, doing);
}

/** An `ActionButton` for people whose role allows its write. Others see `otherwise`. */
export function PlatformAction<T>({
  allows,
  otherwise = null,
  ...action
}: ActionButtonProps<T> & { allows: Doing; otherwise?: ReactNode }) {
  return useMayDo(allows) ? <ActionButton {...action} /> : otherwise;
}

/** A `CsvExport` for people whose role allows exports. */
export const PlatformExport = (props: ComponentProps<typeof CsvExport>) =>
  useMayDo('export') ? <CsvExport {...props} /> : null;
