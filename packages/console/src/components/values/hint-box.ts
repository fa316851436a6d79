/** The box of a hint, loaded when the first hint is shown. */
export { Tooltip } from '@mantine/core';
