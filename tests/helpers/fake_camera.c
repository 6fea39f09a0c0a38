/*
 * A stand-in for the v4l2loopback driver, loaded with LD_PRELOAD into the program under test.
 *
 * The device node is an ordinary file named by FAKE_CAMERA_NODE; what is written to the device is
 * appended to that file. FAKE_CAMERA_SYSFS names the folder that stands for the node's entry in
 * /sys/class/video4linux: its "format" is filled at the first write and emptied at the writer's close,
 * as the driver does. FAKE_CAMERA_PLAY chooses what the device does:
 *     output (default)  a free device with exclusive_caps=1
 *     capture           another producer has it
 *     stuck             neither input nor output until a producer has called STREAMON (0.12.7's defect)
 *     busy, denied      open fails with EBUSY, EACCES
 *     deaf              every write fails with EIO
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MAX_DESCRIPTORS 1024

static char is_camera[MAX_DESCRIPTORS], has_written[MAX_DESCRIPTORS];
static pid_t opener; /* a child that closes what it inherited on its way to exec closes no device */
static int unstuck, streaming;
static char settled[64];

static int plays(const char *role) {
    const char *play = getenv("FAKE_CAMERA_PLAY");
    return strcmp(play ? play : "output", role) == 0;
}

static void note_format(const char *text) {
    char path[4096];
    const char *folder = getenv("FAKE_CAMERA_SYSFS");
    FILE *file;
    if (!folder) return;
    snprintf(path, sizeof path, "%s/format", folder);
    file = fopen(path, "w");
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

static int open_node(const char *path, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
    const char *node = getenv("FAKE_CAMERA_NODE");
    int descriptor;
    if (!node || strcmp(path, node) != 0) return real(path, flags, mode);
    if (plays("busy")) { errno = EBUSY; return -1; }
    if (plays("denied")) { errno = EACCES; return -1; }
    descriptor = real(path, flags | O_APPEND, mode);
    if (descriptor >= 0 && descriptor < MAX_DESCRIPTORS) is_camera[descriptor] = 1;
    opener = getpid();
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_node(path, flags, mode, REAL(open));
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_node(path, flags, mode, REAL(open64));
}

static int camera(int descriptor) {
    return descriptor >= 0 && descriptor < MAX_DESCRIPTORS && is_camera[descriptor];
}

static __u32 offers(void) {
    if (plays("capture") || settled[0] == '+') return V4L2_CAP_VIDEO_CAPTURE;
    if (plays("stuck") && !unstuck) return 0;
    return V4L2_CAP_VIDEO_OUTPUT;
}

static void query(struct v4l2_capability *answer) {
    memset(answer, 0, sizeof *answer);
    strcpy((char *)answer->driver, "v4l2 loopback");
    strcpy((char *)answer->card, getenv("FAKE_CAMERA_TITLE") ? getenv("FAKE_CAMERA_TITLE") : "Overpaint Camera");
    strcpy((char *)answer->bus_info, "platform:v4l2loopback-000");
    answer->device_caps = offers() | V4L2_CAP_READWRITE;
    answer->capabilities = answer->device_caps | V4L2_CAP_DEVICE_CAPS;
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (!camera(descriptor)) return REAL(ioctl)(descriptor, request, argument);
    switch ((__u32)request) {
    case VIDIOC_QUERYCAP:
        query(argument);
        return 0;
    case VIDIOC_S_FMT: {
        struct v4l2_pix_format *format = &((struct v4l2_format *)argument)->fmt.pix;
        snprintf(settled, sizeof settled, "-%.4s:%ux%u@30", (char *)&format->pixelformat, format->width, format->height);
        return 0;
    }
    case VIDIOC_STREAMON:
        streaming = 1;
        return 0;
    }
    errno = ENOTTY;
    return -1;
}

ssize_t write(int descriptor, const void *data, size_t size) {
    if (camera(descriptor)) {
        if (plays("deaf")) { errno = EIO; return -1; }
        if (!has_written[descriptor]) {
            has_written[descriptor] = 1;
            settled[0] = '+';
            note_format(settled + 1);
        }
        /* A picture goes to a device whole; a pipe takes a part of it when the process is stopped meanwhile. */
        size_t done = 0;
        while (done < size) {
            ssize_t count = REAL(write)(descriptor, (const char *)data + done, size - done);
            if (count < 0) return count;
            done += count;
        }
        return size;
    }
    return REAL(write)(descriptor, data, size);
}

int close(int descriptor) {
    if (camera(descriptor) && getpid() == opener) {
        is_camera[descriptor] = 0;
        if (streaming) unstuck = 1;
        streaming = 0;
        if (has_written[descriptor]) {
            has_written[descriptor] = 0;
            settled[0] = '-';
            note_format("");
        }
    }
    return REAL(close)(descriptor);
}
