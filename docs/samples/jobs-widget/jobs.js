// Shows a community's newest jobs on any page: no token, no library, no build step.
// The feed is public where the community is; strangers' browsers keep it for five minutes.
for (const list of document.querySelectorAll("[data-guildhall-jobs]")) show(list);

async function show(list) {
  const { guildhallJobs: guild, limit = 5 } = list.dataset;
  try {
    const answer = await fetch(`${guild}/jobs/feed.json`);
    if (!answer.ok) throw new Error(`The feed answered ${answer.status}.`);
    const { items } = await answer.json();
    list.replaceChildren(...items.slice(0, limit).map(item));
  } catch (error) {
    // Keep what the page has: a link to the board.
    console.warn(`No jobs from ${guild}:`, error);
  }
}

// textContent, never innerHTML: titles are other people's words.
function item({ url, title, content_text: about }) {
  const [li, link, line] = ["li", "a", "p"].map((name) => document.createElement(name));
  link.href = url;
  link.textContent = title;
  line.textContent = about;
  li.append(link, line);
  return li;
}
