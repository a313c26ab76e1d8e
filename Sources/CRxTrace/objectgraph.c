#include "CObjectGraph.h"

int32_t rxtrace_graph_objects(const rxtrace_graph *graph) {
    int32_t count = 0;
    for (int32_t node = 0; node < graph->node_count; node++) count += graph->nodes[node].metadata != 0;
    return count;
}

void rxtrace_graph_turn_round(const rxtrace_graph *graph, int32_t *start, rxtrace_holder *entries) {
    // The holders of node n are counted in `start[n + 2]`. Therefore `start[n + 1]` can serve as the next free entry of
    // node n while the entries are written; after the last entry it is the start of node n + 1.
    for (int32_t edge = 0; edge < graph->edge_count; edge++) {
        int32_t target = graph->edges[edge].target;
        if (target + 2 <= graph->node_count) start[target + 2]++;
    }
    for (int32_t node = 2; node <= graph->node_count; node++) start[node] += start[node - 1];
    for (int32_t node = 0; node < graph->node_count; node++) {
        for (int32_t edge = graph->edge_start[node]; edge < graph->edge_start[node + 1]; edge++) {
            entries[start[graph->edges[edge].target + 1]++] = (rxtrace_holder){node, edge};
        }
    }
}

void rxtrace_graph_unaccounted(const rxtrace_graph *graph, int32_t *unaccounted) {
    for (int32_t node = 0; node < graph->node_count; node++) {
        intptr_t references = graph->nodes[node].references;
        unaccounted[node] = references < 0 || references > INT32_MAX ? INT32_MAX : (int32_t)references;
    }
    for (int32_t edge = 0; edge < graph->edge_count; edge++) {
        int32_t target = graph->edges[edge].target;
        if (graph->edges[edge].is_typed && graph->nodes[target].references >= 0) unaccounted[target]--;
    }
}

void rxtrace_graph_refute(rxtrace_graph *graph, const int32_t *unaccounted) {
    for (int32_t number = 0; number < graph->edge_count; number++) {
        rxtrace_edge *edge = &graph->edges[number];
        edge->is_refuted = !edge->is_typed && unaccounted[edge->target] == 0;
    }
}

void rxtrace_graph_distances(const rxtrace_graph *graph, const int32_t *unaccounted, const int32_t *origins,
    size_t count, rxtrace_followed followed, rxtrace_holder *parent, int32_t *queue) {
    int32_t begin = 0, end = 0;
    for (size_t index = 0; index < count; index++) {
        if (parent[origins[index]].edge != 0) continue;
        parent[origins[index]].edge = -1 - (int32_t)index;
        queue[end++] = origins[index];
    }
    while (begin < end) {
        int32_t node = queue[begin++], last = graph->edge_start[node + 1];
        for (int32_t number = graph->edge_start[node]; number < last; number++) {
            const rxtrace_edge *edge = &graph->edges[number];
            if (parent[edge->target].edge != 0 || !rxtrace_follows(followed, edge, &graph->nodes[node])) continue;
            if (!edge->is_typed && unaccounted[edge->target] == 0) continue;
            parent[edge->target] = (rxtrace_holder){node, number + 1};
            queue[end++] = edge->target;
        }
    }
}

int32_t rxtrace_graph_holders_of(const rxtrace_graph *graph, const int32_t *start, const rxtrace_holder *entries,
    int32_t node, rxtrace_followed followed, int32_t *nodes, rxtrace_holder *step, int32_t *mismatch, int32_t *found) {
    int32_t count = 0;
    *mismatch = -1;
    nodes[count++] = node;
    for (int32_t position = 0; position < count; position++) {
        int32_t current = nodes[position], held = 0;
        for (int32_t entry = start[current]; entry < start[current + 1]; entry++) {
            rxtrace_holder holder = entries[entry];
            const rxtrace_edge *edge = &graph->edges[holder.edge];
            bool follows = rxtrace_follows(followed, edge, &graph->nodes[holder.node]);
            held += follows || edge->is_lent;
            if (!follows) continue;
            if (holder.node == node || step[holder.node].edge != 0) continue;
            step[holder.node] = (rxtrace_holder){current, holder.edge + 1};
            nodes[count++] = holder.node;
        }
        if (*mismatch >= 0 || held == graph->nodes[current].references) continue;
        *mismatch = current;
        *found = held;
    }
    return count;
}

// The state of a depth-first search. `order` is the number in which a node was visited, from 1 on; 0 for a node that
// was not visited. `low` is the lowest such number that is reachable from a node within its component.
typedef struct search {
    const rxtrace_graph *graph;
    rxtrace_followed followed;
    int32_t *component, *order, *low, *open;
    int32_t open_count, components;
} search;

static bool holds_itself(const search *search, int32_t node) {
    const rxtrace_graph *graph = search->graph;
    for (int32_t edge = graph->edge_start[node]; edge < graph->edge_start[node + 1]; edge++) {
        if (graph->edges[edge].target == node &&
            rxtrace_follows(search->followed, &graph->edges[edge], &graph->nodes[node]))
            return true;
    }
    return false;
}

// Removes a component from the stack of open nodes. A single node is a cycle only if it holds itself. A node that is
// not on a cycle has the component -1 until the search ends, because 0 marks an open node.
static void close_component(search *search, int32_t root) {
    int32_t member = search->open[search->open_count - 1];
    bool is_cycle = member != root || holds_itself(search, root);
    if (is_cycle) search->components++;
    do {
        member = search->open[--search->open_count];
        search->component[member] = is_cycle ? search->components : -1;
    } while (member != root);
}

// Returns the next unvisited target of the node at the top of the path; -1 after all edges of that node.
static int32_t next_unseen(search *search, rxtrace_holder *top) {
    const rxtrace_graph *graph = search->graph;
    int32_t node = top->node, last = graph->edge_start[node + 1];
    while (top->edge < last) {
        const rxtrace_edge *edge = &graph->edges[top->edge++];
        if (!rxtrace_follows(search->followed, edge, &graph->nodes[node])) continue;
        if (search->order[edge->target] == 0) return edge->target;
        if (search->component[edge->target] == 0 && search->order[edge->target] < search->low[node]) {
            search->low[node] = search->order[edge->target];
        }
    }
    return -1;
}

void rxtrace_graph_cycles(const rxtrace_graph *graph, rxtrace_followed followed, int32_t *component, int32_t *order,
    int32_t *low, int32_t *open, rxtrace_holder *path) {
    search search = {graph, followed, component, order, low, open, 0, 0};
    int32_t seen = 0, depth = 0;
    for (int32_t start = 0; start < graph->node_count; start++) {
        int32_t next = order[start] == 0 ? start : -1;
        while (next >= 0 || depth > 0) {
            if (next >= 0) {
                order[next] = low[next] = ++seen;
                open[search.open_count++] = next;
                path[depth++] = (rxtrace_holder){next, graph->edge_start[next]};
            }
            rxtrace_holder *top = &path[depth - 1];
            next = next_unseen(&search, top);
            if (next >= 0) continue;
            int32_t node = top->node;
            if (low[node] == order[node]) close_component(&search, node);
            if (--depth == 0) continue;
            int32_t parent = path[depth - 1].node;
            if (low[node] < low[parent]) low[parent] = low[node];
        }
    }
    for (int32_t node = 0; node < graph->node_count; node++) if (component[node] < 0) component[node] = 0;
}
