/** Connections shared by look-ups. More than one, so that a look-up that hangs does not delay all others. */
export const lookupLanes = 2;

/** Connections of a process beside its pool: the ones for look-ups, and the one that listens. */
export const connectionsBesidePool = lookupLanes + 1;
