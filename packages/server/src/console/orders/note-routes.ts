import { NewOrderNote } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError, invalid } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { deleteNote, insertNote, type OrderNote, selectNotes } from '../../collection/notes/index.ts';
import { readOrder } from '../../collection/reading/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { selectMerchantForUpdate } from '../../merchants/index.ts';
import { runAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readNew = reader(NewOrderNote);
const mostNotes = 100;

interface ByOrder {
  Params: ByMerchant['Params'] & { order_no: string };
}

/**
 * The notes of a merchant's people on an order: people read and write notes, and delete their own; an owner deletes any
 * note (D-223). The audit log has who did it, and not the text, so that a deleted note is gone.
 */
export function noteRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock, ids } = deps;
  const show = async ({ note_id, text, author, created_at }: OrderNote) => {
    const user_id = author.replace(/^user:/, '');
    const person = await selectPerson(db, user_id);
    return { note_id, text, author: { user_id, name: person?.name ?? '' }, created_at: rfc3339(created_at) };
  };

  app.get<ByOrder>('/collection-orders/:order_no/notes', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { order_no } = await readOrder(deps, merchant_id, request.params.order_no);
    const notes = await selectNotes(db, merchant_id, order_no, mostNotes);
    return { items: await Promise.all(notes.map(show)) };
  });

  app.post<ByOrder>('/collection-orders/:order_no/notes', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const text = readNew(request.body).text.trim();
    if (text === '') throw invalid('text', 'A note needs a text.');
    const { order_no } = await readOrder(deps, merchant_id, request.params.order_no);
    const { note } = await runAsMember(deps, request, { actor, action: 'order.note' }, async (tx) => {
      // Notes that are written at once are counted one after the other (D-1366).
      await selectMerchantForUpdate(tx, merchant_id);
      if ((await selectNotes(tx, merchant_id, order_no, mostNotes)).length >= mostNotes) {
        throw invalid('text', `An order has at most ${mostNotes} notes.`);
      }
      const created_at = clock.now();
      const made = { note_id: `on_${ids.ulid(created_at)}`, text, author: actor, created_at };
      await insertNote(tx, { merchant_id, order_no, ...made });
      const target = `order:${order_no}`;
      return {
        target,
        before: null,
        after: { note_id: made.note_id },
        note: { ...made, merchant_id, order_no },
      };
    });
    return reply.code(201).send(await show(note));
  });

  app.delete<ByOrder & { Params: { note_id: string } }>(
    '/collection-orders/:order_no/notes/:note_id',
    async (request) => {
      const { actor, role, merchant } = memberOf(request);
      const { merchant_id } = merchant;
      const { order_no, note_id } = request.params;
      await runAsMember(deps, request, { actor, action: 'order.note-delete' }, async (tx) => {
        const notes = await selectNotes(tx, merchant_id, order_no, mostNotes);
        const note = notes.find((one) => one.note_id === note_id);
        if (note === undefined) throw new AppError('not_found');
        if (note.author !== actor && role !== 'owner') throw new AppError('role_required');
        await deleteNote(tx, note);
        return { target: `order:${order_no}`, before: { note_id, author: note.author }, after: null };
      });
      return { deleted: true };
    },
  );
}
