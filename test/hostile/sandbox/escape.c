/* Ways out of a sandbox that no shell has words for. Says GOT when it got through, or what it read. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/vm_sockets.h>
#include <mqueue.h>
#include <pty.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <poll.h>

static const int SESSION = -3;
static char text[4096];

static int got(long result) {
  if (result < 0) return perror("refused"), 1;
  return puts("GOT"), 0;
}

static int print(int fd) {
  long n = read(fd, text, sizeof text - 1);
  if (n <= 0) return perror("nothing"), 1;
  return puts(text), 0;
}

static int key(void) {
  long id = syscall(SYS_request_key, "user", "autonomous-proof", 0, 0);
  if (id < 0) id = syscall(SYS_keyctl, 10, SESSION, "user", "autonomous-proof", 0);
  if (id < 0) return perror("key"), 1;
  syscall(SYS_keyctl, 11, id, text, sizeof text - 1);
  return puts(text), 0;
}

/* Waits until somebody touches what it looks at. */
static int hears(int fd) {
  struct pollfd one = {fd, POLLIN, 0};
  return got(poll(&one, 1, 5000) > 0 ? 0 : -1);
}

static int type(void) {
  int typed = 0;
  int fds[] = {0, 1, 2, open("/dev/tty", O_RDWR)};
  for (unsigned i = 0; i < 4; i++)
    for (const char *at = "typed-by-us"; *at; at++) typed |= ioctl(fds[i], TIOCSTI, at) == 0;
  return got(typed ? 0 : -1);
}

static int abstract(const char *name) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  strcpy(at.sun_path + 1, name);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  return got(connect(fd, (void *)&at, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)));
}

/* The machine's oldest way out of chroot, and the newest way around mounts: by a number instead of a name. */
static int way_up(const char *secret) {
  int here = open(".", O_DIRECTORY);
  mkdir("jail", 0700);
  if (chroot("jail") < 0 || fchdir(here) < 0) return perror("chroot"), 1;
  for (int i = 0; i < 64; i++) chdir("..");
  if (chroot(".") < 0) return perror("chroot"), 1;
  return print(open(secret, O_RDONLY));
}

struct handle { struct file_handle head; unsigned char bytes[128]; };

static int handle_of(const char *path) {
  struct handle h = {.head = {.handle_bytes = 128}};
  int mount;
  if (name_to_handle_at(AT_FDCWD, path, &h.head, &mount, 0) < 0) return 1;
  printf("%d:", h.head.handle_type);
  for (unsigned i = 0; i < h.head.handle_bytes; i++) printf("%02x", h.head.f_handle[i]);
  return 0;
}

static int by_handle(const char *told) {
  struct handle h = {0};
  int at = 0;
  if (sscanf(told, "%d:%n", &h.head.handle_type, &at) < 1) return 1;
  for (unsigned byte; sscanf(told + at, "%2x", &byte) == 1; at += 2) h.head.f_handle[h.head.handle_bytes++] = byte;
  return print(open_by_handle_at(open(".", O_RDONLY), &h.head, O_RDONLY));
}

static int foreign_numbers(const char *abi) {
#ifdef __x86_64__
  if (!strcmp(abi, "x32")) return got(syscall(0x40000000 | SYS_socket, AF_UNIX, SOCK_STREAM, 0));
  long fd;
  __asm__ volatile("int $0x80" : "=a"(fd) : "a"(359), "b"(AF_UNIX), "c"(SOCK_STREAM), "d"(0) : "memory");
  return got(fd < 0 ? -1 : 0);
#endif
  return 1;
}

static int peek(char **argv) {
  struct iovec mine = {text, sizeof text - 1}, theirs = {(void *)strtoul(argv[3], 0, 10), 512};
  long n = process_vm_readv(atoi(argv[2]), &mine, 1, &theirs, 1, 0);
  if (n < 0) return perror("peek"), 1;
  for (long i = 0; i < n; i++) putchar(text[i] ? text[i] : '\n');
  return 0;
}

static int share(const char *how, const char *name) {
  int id = shmget(atoi(name), 4096, !strcmp(how, "make-shared") ? IPC_CREAT | 0600 : 0);
  if (id < 0) return perror("shared"), 1;
  if (!strcmp(how, "drop-shared")) return shmctl(id, IPC_RMID, 0);
  char *at = shmat(id, 0, 0);
  if (strcmp(how, "make-shared")) return puts(at), 0;
  return read(0, at, 4095) < 0;
}

static int watch(const char *path) {
  int fd = inotify_init1(0);
  return inotify_add_watch(fd, path, IN_ALL_EVENTS) < 0 ? got(-1) : hears(fd);
}

static int watch_all(const char *path) {
  int fd = fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);
  int marked = fanotify_mark(fd, FAN_MARK_ADD, FAN_MODIFY | FAN_OPEN | FAN_EVENT_ON_CHILD | FAN_ONDIR, AT_FDCWD, path);
  return marked < 0 ? got(-1) : hears(fd);
}

static int enter(const char *path) { return got(setns(open(path, O_RDONLY), 0)); }

static int uring(void) {
  struct io_uring_params p = {0};
  return got(syscall(SYS_io_uring_setup, 4, &p));
}

/* A person's session: a key in its keyring, a terminal that controls it. Tells what the terminal shows. */
static int session(char **argv) {
  syscall(SYS_keyctl, 1, 0);
  syscall(SYS_add_key, "user", "autonomous-proof", argv[2], strlen(argv[2]), SESSION);
  int terminal, status = 0;
  int child = forkpty(&terminal, 0, 0, 0);
  if (child == 0) {
    execv(argv[3], argv + 3);
    _exit(127);
  }
  for (long n; (n = read(terminal, text, sizeof text)) > 0;) fwrite(text, 1, n, stdout);
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "", *what = argc > 2 ? argv[2] : "";
  if (!strcmp(way, "session") && argc > 3) return session(argv);
  if (!strcmp(way, "key")) return key();
  if (!strcmp(way, "leave-key")) return got(syscall(SYS_add_key, "user", "autonomous-left", "x", 1, SESSION));
  if (!strcmp(way, "type")) return type();
  if (!strcmp(way, "peek") && argc > 3) return peek(argv);
  if (!strcmp(way, "trace")) return got(ptrace(PTRACE_SEIZE, atoi(what), 0, 0));
  if (!strcmp(way, "abstract")) return abstract(what);
  if (!strcmp(way, "uring")) return uring();
  if (!strcmp(way, "numbers")) return foreign_numbers(what);
  if (!strcmp(way, "socket")) return got(socket(atoi(what), atoi(argv[3]), atoi(argv[4])));
  if (!strcmp(way, "way-up")) return way_up(what);
  if (!strcmp(way, "handle-of")) return handle_of(what);
  if (!strcmp(way, "by-handle")) return by_handle(what);
  if (strstr(way, "shared")) return share(way, what);
  if (!strcmp(way, "queue")) return got(mq_open(what, O_RDONLY));
  if (!strcmp(way, "make-queue")) return mq_open(what, O_CREAT | O_RDWR, 0600, NULL) < 0;
  if (!strcmp(way, "drop-queue")) return mq_unlink(what);
  if (!strcmp(way, "watch")) return watch(what);
  if (!strcmp(way, "watch-all")) return watch_all(what);
  if (!strcmp(way, "enter")) return enter(what);
  if (!strcmp(way, "namespace")) return got(unshare(CLONE_NEWUSER | CLONE_NEWNS));
  if (!strcmp(way, "mounts")) return got(unshare(CLONE_NEWNS));
  if (!strcmp(way, "bind")) return got(mount(what, argv[3], 0, MS_BIND, 0));
  if (!strcmp(way, "tree")) return got(syscall(SYS_open_tree, AT_FDCWD, what, 1));
  if (!strcmp(way, "new-filesystem")) return got(syscall(SYS_fsopen, "tmpfs", 0));
  if (!strcmp(way, "pivot")) return got(syscall(SYS_pivot_root, ".", "."));
  if (!strcmp(way, "bpf")) return got(syscall(SYS_bpf, 5, 0, 0));
  if (!strcmp(way, "module")) return got(syscall(SYS_init_module, "", 0, ""));
  return 2;
}
