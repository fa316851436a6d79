/** The ids of headings: those that code hosts make, so that links work here and there. */
export function createSlugs(): (heading: string) => string {
  const times = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const time = times.get(slug) ?? 0;
    times.set(slug, time + 1);
    return time === 0 ? slug : `${slug}-${time}`;
  };
}
