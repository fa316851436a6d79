import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ManagedProduct, ProductChange } from '../../api/products.ts';
import { notice } from '../../components/dialog/notice.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

/** Saves some members of the product. */
export type Save = (body: ProductChange) => Promise<ManagedProduct>;

/** Saves a part of a product, confirms it, and reads the product again. */
export function useSave(save: Save | null) {
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: (body: ProductChange) => {
      if (save === null) throw new Error('this product may not be changed');
      return save(body);
    },
    onSuccess: async () => {
      await queries.invalidateQueries();
      notice({ color: 'teal', message: t('saved') });
    },
  });
  return {
    mutate: mutation.mutate,
    isPending: mutation.isPending,
    error: mutation.error,
  };
}
