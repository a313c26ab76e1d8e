// Filter, sort, details on demand and the switch between light and dark. Filter and order stand in the address
// (`#filter=merge&sort=time&descending=1&open=operator/map`), so that a view can be sent to somebody.
'use strict';
(function () {
  const root = document.documentElement;
  const complain = text => { root.dataset.errors = (root.dataset.errors || '') + text + '; '; };
  window.addEventListener('error', event => complain(event.message));
  document.addEventListener('securitypolicyviolation', event => complain('blocked ' + event.blockedURI));

  const remembered = () => { try { return localStorage.getItem('rxbench-theme'); } catch (_) { return null; } };
  if (remembered()) root.dataset.theme = remembered();
  document.getElementById('theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try { localStorage.setItem('rxbench-theme', root.dataset.theme); }
    catch (_) { /* A private window keeps nothing. */ }
  });

  const table = document.getElementById('table');
  if (!table) { root.dataset.ready = 'true'; return; }
  const filter = document.getElementById('filter');
  const sort = document.getElementById('sort');
  const descending = document.getElementById('descending');
  const heads = Array.from(table.tHead.rows[0].cells);
  const bodies = Array.from(table.tBodies);
  const words = bodies.map(body => (body.dataset.id + ' ' + body.dataset.words).toLowerCase());

  // Every word must occur. A figure that is not there goes last in either order.
  function show() {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    bodies.forEach((body, index) => {
      body.hidden = !wanted.every(word => words[index].includes(word));
      if (!body.hidden) count += 1;
    });
    document.getElementById('count').textContent = count + ' of ' + bodies.length;
    const column = heads.findIndex(head => head.dataset.key === sort.value);
    const sign = descending.checked ? -1 : 1;
    const keys = new Map(bodies.map(body => {
      const value = column > 0 ? body.rows[0].cells[column].dataset.v : undefined;
      return [body, value === undefined ? NaN : Number(value)];
    }));
    const ordered = bodies.slice();
    if (column === 0) ordered.sort((a, b) => sign * a.dataset.id.localeCompare(b.dataset.id, 'en', { numeric: true }));
    if (column > 0) {
      ordered.sort((a, b) => {
        const x = keys.get(a), y = keys.get(b);
        return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) : sign * (x - y);
      });
    } else if (column < 0 && sign < 0) ordered.reverse();
    table.append(...ordered);
    heads.forEach((head, index) => {
      if (index === column) head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    });
  }

  function open(body, isOpen) {
    body.rows[1].hidden = !isOpen;
    body.querySelector('th button').setAttribute('aria-expanded', String(isOpen));
  }

  function read() {
    const hash = location.hash.slice(1);
    if (!hash.includes('=')) return;
    const state = new URLSearchParams(hash);
    filter.value = state.get('filter') || '';
    sort.value = heads.some(head => head.dataset.key === state.get('sort')) ? state.get('sort') : '';
    descending.checked = state.get('descending') === '1';
    if (state.get('theme') === 'dark' || state.get('theme') === 'light') root.dataset.theme = state.get('theme');
    bodies.filter(body => state.getAll('open').includes(body.dataset.id)).forEach(body => open(body, true));
  }

  function write() {
    const state = new URLSearchParams();
    if (filter.value) state.set('filter', filter.value);
    if (sort.value) state.set('sort', sort.value);
    if (descending.checked) state.set('descending', '1');
    bodies.filter(body => !body.rows[1].hidden).forEach(body => state.append('open', body.dataset.id));
    try { history.replaceState(null, '', '#' + state); }
    catch (_) { /* Some browsers keep the address of a file as it is. */ }
  }

  const update = () => { show(); write(); };
  filter.addEventListener('input', update);
  sort.addEventListener('change', update);
  descending.addEventListener('change', update);
  heads.forEach(head => head.addEventListener('click', () => {
    const isSame = sort.value === head.dataset.key;
    if (isSame && descending.checked) { sort.value = ''; descending.checked = false; }
    else { descending.checked = isSame; sort.value = head.dataset.key; }
    update();
  }));
  bodies.forEach(body => body.rows[0].addEventListener('click', () => { open(body, body.rows[1].hidden); write(); }));
  window.addEventListener('hashchange', () => { read(); show(); });
  read();
  show();
  root.dataset.ready = 'true';
})();
